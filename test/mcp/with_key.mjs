// with_key.mjs KEY PORT: passes requests on to the server at PORT with an API key, for a client that has
// none to send. Prints its own port.
import http from "node:http";

const [key, port] = process.argv.slice(2);

http.createServer((request, response) => {
  const headers = { ...request.headers, authorization: `Bearer ${key}` };
  const options = { host: "127.0.0.1", port, path: request.url, method: request.method, headers };
  request.pipe(http.request(options, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  }));
}).listen(0, "127.0.0.1", function () {
  console.log(this.address().port);
});
