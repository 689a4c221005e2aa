import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root';
import { bundle } from './bundle';

const BRIDGE_FILE = join(ROOT, 'console/lib/mcp/own/bridge.gen.ts');

/** Writes the bridge's program, which the console puts into Compose files. Deterministic. */
export async function generateMcpBridge(file = BRIDGE_FILE): Promise<void> {
  const text = (await bundle('bridge.main.ts')).replaceAll(/[\\`]|\$(?=\{)/g, (sign) => `\\${sign}`);
  writeFileSync(
    file,
    `// Written by npm run codegen from server/mcp. Do not edit.\n\nexport const BRIDGE = \`${text}\`;\n`,
  );
}
