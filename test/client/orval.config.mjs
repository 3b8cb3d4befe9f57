export default {
  platen: {
    input: "./openapi.json",
    output: { target: "./orval_client.ts", client: "fetch", baseUrl: process.env.PLATEN_URL },
  },
};
