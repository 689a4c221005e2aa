import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Document, Scalar } from 'yaml';
import { KEY_ENVIRONMENT, NODE_IMAGE } from '../../console/lib/mcp/keyedService';
import { ROOT } from '../root';
import { bundle } from './bundle';

/**
 * Writes the Compose files of templates with our own programs: each is bundled into its file, so that the compose
 * hash covers all of its code. Their `template.yaml` is written by hand.
 */

interface Program {
  /** In `server/mcp/programs`. */
  source: string;
  volumes: readonly string[];
}

/** By template. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  'mcp-attestation': {
    source: 'attestation.main.ts',
    volumes: ['/var/run/dstack.sock:/var/run/dstack.sock'],
  },
  'mcp-files': { source: 'files.main.ts', volumes: ['data:/data'] },
  'mcp-memory': { source: 'memory.main.ts', volumes: ['data:/data'] },
};

const TEMPLATES_FOLDER = join(ROOT, 'server/templates');

/** Writes the files below `folder`. Deterministic. */
export async function generateMcpTemplates(folder = TEMPLATES_FOLDER): Promise<void> {
  for (const [id, { source, volumes }] of Object.entries(PROGRAMS)) {
    const code = await bundle(source);
    mkdirSync(join(folder, id), { recursive: true });
    writeFileSync(join(folder, id, 'docker-compose.yml'), composeOf(code, volumes));
  }
}

function composeOf(code: string, volumes: readonly string[]): string {
  // Compose reads `$$` as a dollar sign and everything else after one as a variable.
  const program = new Scalar(code.replaceAll('$', '$$$$'));
  program.type = Scalar.BLOCK_LITERAL;
  const named = volumes.flatMap((volume) => (volume.startsWith('/') ? [] : [volume.split(':')[0] ?? '']));
  const file = new Document({
    services: {
      server: {
        image: NODE_IMAGE,
        restart: 'unless-stopped',
        read_only: true,
        cap_drop: ['ALL'],
        environment: KEY_ENVIRONMENT,
        ports: ['8080:8080'],
        volumes,
        command: ['node', '--input-type=module', '--eval', program],
      },
    },
    ...(named.length === 0 ? {} : { volumes: Object.fromEntries(named.map((name) => [name, {}])) }),
  });
  file.commentBefore = ' Written by npm run codegen from server/mcp. Do not edit.';
  return file.toString({ lineWidth: 0 });
}
