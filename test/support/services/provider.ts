import type { IncomingMessage, ServerResponse } from 'node:http';
import { OAuth2Server } from 'oauth2-mock-server';

export interface Provider extends AsyncDisposable {
  issuer: string;
  server: OAuth2Server;
  /** A token as the provider would issue it, with changes by the test. */
  token(
    claims?: Record<string, unknown>,
    options?: { kid?: string; expiresIn?: number; header?: Record<string, unknown> },
  ): Promise<string>;
  /** Stops publishing a key. */
  withdraw(kid: string): void;
  /** Delays responses with the key set until the returned function is called. Their content is that of the request. */
  holdKeys(): () => void;
  /** How often the key set was fetched. */
  keyFetches(): number;
  /** Answers requests for the key set in another way. */
  answerKeys(answer: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Publishes the key set at another address, and no longer at the old one. */
  moveKeys(path: string): void;
}

/** A real OpenID provider on 127.0.0.1: discovery, key set, token endpoint. */
export async function startProvider(audience: string): Promise<Provider> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256', { kid: 'first' });
  let fetches = 0;
  let delay = Promise.resolve();
  const withdrawn = new Set<unknown>();
  let keysPath = '/keys';
  let answerKeys = (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('content-type', 'application/json');
    const body = JSON.stringify({ keys: server.issuer.keys.toJSON().filter(({ kid }) => !withdrawn.has(kid)) });
    void delay.then(() => response.end(body));
  };
  const publishKeys = () =>
    server.service.addRoute('GET', keysPath, (request, response) => {
      fetches++;
      if (request.url === keysPath) answerKeys(request, response);
      else response.writeHead(404).end();
    });
  publishKeys();
  server.service.on('beforeWellKnownOpenIdConfiguration', (response: { body: Record<string, unknown> }) => {
    response.body['jwks_uri'] = `${server.issuer.url}${keysPath}`;
  });
  // Like Auth0: the subject of a machine's token is the machine.
  server.service.on(
    'beforeTokenSigning',
    (token: { payload: Record<string, unknown> }, request: { body: Record<string, unknown> }) => {
      token.payload['sub'] ??= `${request.body['client_id']}@clients`;
      token.payload['client_id'] = request.body['client_id'];
      token.payload['aud'] = request.body['audience'] ?? token.payload['aud'];
    },
  );
  await server.start(0, '127.0.0.1');
  const issuer = `http://127.0.0.1:${server.address().port}`;
  server.issuer.url = issuer;
  return {
    issuer,
    server,
    keyFetches: () => fetches,
    answerKeys(answer) {
      answerKeys = answer;
    },
    moveKeys(path) {
      keysPath = path;
      publishKeys();
    },
    holdKeys() {
      const { promise, resolve } = Promise.withResolvers<void>();
      delay = promise;
      return resolve;
    },
    withdraw: (kid) => void withdrawn.add(kid),
    token: (claims = {}, options = {}) =>
      server.issuer.buildToken({
        kid: options.kid ?? 'first',
        expiresIn: options.expiresIn ?? 300,
        scopesOrTransform: (header, payload) => {
          Object.assign(header, options.header);
          Object.assign(payload, {
            aud: audience,
            sub: 'a-user',
            client_id: 'some-client',
            scope: 'echo:read',
            ...claims,
          });
        },
      }),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
