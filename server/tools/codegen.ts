import { createClient } from '@hey-api/openapi-ts';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { heyApiConfig, QUERY_KEYS_FILE } from '../../codegen.config';
import { tokenSheet } from '../../console/ui/theme';
import { readApiDocument } from './apiDocument';
import { emitAdminLists } from './emitAdminLists';
import { emitAdminRecords } from './emitAdminRecords';
import { emitAdminMenu } from './emitAdminMenu';
import { ADMIN_RESOURCES_DIR, emitActionPanels, emitAdminPages } from './emitAdminPages';
import { emitAdminForms, emitAdminSchemas } from './emitAdminResources';
import { generateMcpBridge } from '../mcp/emitBridge';
import { generateMcpTemplates } from '../mcp/emitTemplates';
import { emitHandlers, HANDLERS_FILE } from './emitHandlers';
import { emitPages } from './emitPages';
import { publishedDocument } from './publishedDocument';
import { emitApiVersions, emitOperations, emitPermissions, type ApiDocument } from './emitOperations';

const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** Writes everything derived from the API document into `target` (default `generated/`). Deterministic. */
export async function generate(target = join(root, 'generated'), document: ApiDocument = readApiDocument()) {
  // Generates into a temporary folder and copies, so that a failed run doesn't touch the committed output.
  const work = mkdtempSync(join(tmpdir(), 'teehouse-codegen-'));
  try {
    await createClient(heyApiConfig(structuredClone(document), join(work, 'api')));
    exportAll(join(work, `api/${QUERY_KEYS_FILE}.gen.ts`));
    writeOwn(work, document);
    rmSync(target, { recursive: true, force: true });
    cpSync(work, target, { recursive: true });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Writes what our own generators derive from the document, which is all that a running admin area needs. */
export function writeOwn(target: string, document: ApiDocument) {
  writeFileSync(join(target, 'api/operations.gen.ts'), emitOperations(document));
  writeFileSync(join(target, 'api/permissions.gen.ts'), emitPermissions(document));
  writeFileSync(join(target, 'api/apiVersions.gen.ts'), emitApiVersions(document));
  writeFileSync(join(target, 'api/adminMenu.gen.ts'), emitAdminMenu(document));
  writeFileSync(join(target, 'api/adminLists.gen.ts'), emitAdminLists(document));
  writeFileSync(join(target, 'api/adminRecords.gen.ts'), emitAdminRecords(document));
  writeFileSync(join(target, 'api/pages.gen.ts'), emitPages(document, join(root, 'console/routes.gen.ts')));
  mkdirSync(join(target, 'admin'), { recursive: true });
  writeFileSync(join(target, 'admin/schemas.gen.ts'), emitAdminSchemas(document));
  writeFileSync(join(target, 'admin/forms.gen.ts'), emitAdminForms(document));
  writeFileSync(join(target, 'theme.css'), emitTheme());
  writeFileSync(join(target, 'openapi.json'), `${JSON.stringify(publishedDocument(document), null, 1)}\n`);
}

/** Returns the tokens of console/ui/theme.ts as a style sheet, for the public pages. */
function emitTheme(): string {
  const rules = Object.entries(tokenSheet).map(([selector, tokens]) => {
    const lines = Object.entries(tokens).map(
      ([name, value]) => `  ${name === 'colorScheme' ? 'color-scheme' : name}: ${value};`,
    );
    return `${selector} {\n${lines.join('\n')}\n}\n`;
  });
  return `/* Written by npm run codegen from console/ui/theme.ts. Do not edit. */\n${rules.join('\n')}`;
}

/** The react-query plugin exports its helpers only within one file, but the operations are in several. */
function exportAll(file: string) {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^const /gm, 'export const '));
}

/** Writes the table of handlers. Runs after `generate`, because a new handler needs its operation's types first. */
export function generateHandlers(file = HANDLERS_FILE, document: ApiDocument = readApiDocument()) {
  writeFileSync(file, emitHandlers(document));
}

/** Writes the registry of the admin area's custom pages and panels. */
export function generateAdminPages(dir = ADMIN_RESOURCES_DIR, document: ApiDocument = readApiDocument()) {
  writeFileSync(join(dir, 'pages.gen.ts'), emitAdminPages(document));
  writeFileSync(join(dir, 'actionPanels.gen.ts'), emitActionPanels(document));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    const document = readApiDocument();
    await generate(undefined, document);
    generateHandlers(undefined, document);
    generateAdminPages(undefined, document);
    await generateMcpTemplates();
    await generateMcpBridge();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
