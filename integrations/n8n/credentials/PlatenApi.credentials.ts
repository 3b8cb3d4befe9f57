import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from "n8n-workflow";

/** The address of a platen server and an API key. */
export class PlatenApi implements ICredentialType {
  name = "platenApi";
  displayName = "Platen API";

  properties: INodeProperties[] = [
    {
      displayName: "Server",
      name: "url",
      type: "string",
      default: "http://localhost:8080",
      placeholder: "https://pdf.example.com",
      required: true,
    },
    {
      displayName: "API Key",
      name: "key",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { "X-API-Key": "={{$credentials.key}}" } },
  };

  test: ICredentialTestRequest = {
    request: { baseURL: "={{$credentials.url}}", url: "/api/v1/usage" },
  };
}
