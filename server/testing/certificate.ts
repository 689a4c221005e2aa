import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface TestCertificate {
  /** PEM. */
  key: string;
  /** PEM; it is its own authority. */
  cert: string;
  /** SHA-256 of the certificate, in hex. */
  pin: string;
}

/** Creates a self-signed certificate for these names and addresses. */
export function selfSigned(...names: string[]): TestCertificate {
  const dir = mkdtempSync(path.join(tmpdir(), 'teehouse-cert-'));
  try {
    const base = path.join(dir, 'made');
    const san = names.map((n) => (/^[\d.]+$/.test(n) ? `IP:${n}` : `DNS:${n}`)).join(',');
    execFileSync(
      'openssl',
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test -addext subjectAltName=${san} -keyout ${base}.key -out ${base}.crt`.split(
        ' ',
      ),
      { stdio: 'ignore' },
    );
    const cert = readFileSync(`${base}.crt`, 'utf8');
    const pin = createHash('sha256').update(new X509Certificate(cert).raw).digest('hex');
    return { key: readFileSync(`${base}.key`, 'utf8'), cert, pin };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
