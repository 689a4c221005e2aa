import { createClient } from '@hey-api/openapi-ts';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { heyApiConfig } from '../../codegen.config';
import { emitAdminLists } from './emitAdminLists';
import { emitAdminMenu } from './emitAdminMenu';
import {
  emitAdminForms,
  emitAdminSchemas,
  emitOperations,
  emitPermissions,
  type ApiDocument,
} from './emitOperations';

const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** Writes everything derived from `openapi/product.yaml` into `target` (default `generated/`). Same input, same bytes. */
export async function generate(target = join(root, 'generated'), input = join(root, 'openapi/product.yaml')) {
  const document = parse(readFileSync(input, 'utf8')) as ApiDocument;
  // Generated aside and copied over, so that a failing run leaves the committed output as it was.
  const work = mkdtempSync(join(tmpdir(), 'teehouse-codegen-'));
  try {
    await createClient(heyApiConfig(structuredClone(document), join(work, 'api')));
    writeFileSync(join(work, 'api/operations.gen.ts'), emitOperations(document));
    writeFileSync(join(work, 'api/permissions.gen.ts'), emitPermissions(document));
    writeFileSync(join(work, 'api/adminMenu.gen.ts'), emitAdminMenu(document));
    writeFileSync(join(work, 'api/adminLists.gen.ts'), emitAdminLists(document));
    mkdirSync(join(work, 'admin'), { recursive: true });
    writeFileSync(join(work, 'admin/schemas.gen.ts'), emitAdminSchemas(document));
    writeFileSync(join(work, 'admin/forms.gen.ts'), emitAdminForms(document));
    writeFileSync(join(work, 'openapi.json'), `${JSON.stringify(document, null, 1)}\n`);
    rmSync(target, { recursive: true, force: true });
    cpSync(work, target, { recursive: true });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await generate();
}
