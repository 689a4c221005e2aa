import type { LockedPackages } from './lockSubset';

interface Subject {
  name: string;
  version: string;
  license: string;
}

/**
 * Lists everything built into or loaded by the server, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/).
 * npm's own `npm sbom --omit=dev` omits packages also needed by a development dependency, such as Express.
 */
export function billOfMaterials(subject: Subject, packages: LockedPackages) {
  const components = Object.entries(packages).map(([folder, { version = '', license, integrity }]) => {
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return {
      type: 'library' as const,
      'bom-ref': folder,
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      ...(license === undefined ? {} : { licenses: [licenseOf(license)] }),
      ...(integrity === undefined ? {} : { hashes: integrity.split(' ').map(hashOf) }),
    };
  });
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': subject.name,
        name: subject.name,
        version: subject.version,
        licenses: [licenseOf(subject.license)],
      },
    },
    components,
  };
}

/** An SPDX identifier or an expression of several. */
const licenseOf = (license: string) =>
  /^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license };

/** `sha512-<base64>`, as in lock files, converted to CycloneDX's form. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [algorithm = '', digest = ''] = integrity.split(/-(.*)/s);
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(digest, 'base64').toString('hex'),
  };
}
