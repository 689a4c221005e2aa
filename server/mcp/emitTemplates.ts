import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Document, Scalar } from 'yaml';
import { ROOT } from '../root';
import { bundle } from './bundle';

/**
 * Writes the Compose files of templates with our own programs: each is bundled into its file, so that the compose
 * hash covers all of its code. Their `template.yaml` is written by hand.
 */

/** Node.js alone; the digest is that of the tag 24-alpine in May 2026. */
const IMAGE = 'node:24-alpine@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43';

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
        image: IMAGE,
        restart: 'unless-stopped',
        read_only: true,
        cap_drop: ['ALL'],
        environment: {
          MCP_KEY: '${MCP_KEY}',
          MCP_KEYS: '${MCP_KEYS:-}',
          MCP_ORIGINS: '${MCP_ORIGINS:-}',
          MCP_REQUESTS_PER_MINUTE: '${MCP_REQUESTS_PER_MINUTE:-120}',
        },
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
