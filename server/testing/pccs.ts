import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Collateral } from '../../console/lib/attestation/types';

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface FakePccs {
  url: string;
  /** Requested paths, with query. */
  requests: string[];
  /** Sets the collateral to serve from now on. */
  serve(collateral: Collateral): void;
  /** Replaces all responses from now on; null restores the default. */
  instead(answer: Answer | null): void;
  close(): Promise<void>;
}

/** A PCCS over HTTP, with its four endpoints for TDX. */
export async function startFakePccs(first: Collateral): Promise<FakePccs> {
  let collateral = first;
  let own: Answer | null = null;
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (own) return void own(request, response);
    const url = new URL(request.url ?? '/', 'http://pccs');
    const chain = (name: string, pem: string) => response.setHeader(name, encodeURIComponent(pem));
    switch (url.pathname) {
      case '/tdx/certification/v4/tcb':
        chain('TCB-Info-Issuer-Chain', collateral.tcb_info_issuer_chain);
        return response.end(
          `{"tcbInfo":${collateral.tcb_info},"signature":"${collateral.tcb_info_signature}"}`,
        );
      case '/tdx/certification/v4/qe/identity':
        chain('SGX-Enclave-Identity-Issuer-Chain', collateral.qe_identity_issuer_chain);
        return response.end(
          `{"enclaveIdentity":${collateral.qe_identity},"signature":"${collateral.qe_identity_signature}"}`,
        );
      case '/sgx/certification/v4/pckcrl':
        chain('SGX-PCK-CRL-Issuer-Chain', collateral.pck_crl_issuer_chain);
        return response.end(Buffer.from(collateral.pck_crl, 'hex'));
      case '/sgx/certification/v4/rootcacrl':
        // In hex, as Intel's caching service does.
        return response.end(collateral.root_ca_crl);
      default:
        return response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    serve: (given) => void (collateral = given),
    instead: (answer) => void (own = answer),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
