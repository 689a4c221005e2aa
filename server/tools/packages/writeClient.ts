import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { heyApiConfig } from '../../../codegen.config';
import { ownValue } from '../../../console/lib/ownValue';
import { readApiDocument } from '../apiDocument';
import type { ApiDocument } from '../emitOperations';
import { bin, ROOT, runNode } from '../run';

const SOURCE = path.join(ROOT, 'integrations/client');
/** Project files imported by the package's own sources, and their names in the package. */
const IMPORTED: readonly [specifier: RegExp, instead: string][] = [
  [/'\.\.\/\.\.\/generated\/api\/client'/g, "'./api/client/index.js'"],
  [/'\.\.\/\.\.\/generated\/api\/([\w./]+)'/g, "'./api/$1.js'"],
  [/'\.\.\/\.\.\/console\/lib\/apiVersion'/g, "'./apiVersion.js'"],
  [/'(\.\/(?!api\/|apiVersion\.js)[\w/]+)'/g, "'$1.js'"],
];
/** Validators and hooks would need packages. */
const PLUGINS: readonly unknown[] = ['@hey-api/typescript', '@hey-api/client-fetch', '@hey-api/sdk'];

/**
 * Writes the TypeScript client to `folder`, replacing it: an npm package without dependencies, generated from the API
 * document with the settings of `npm run codegen`. Admin operations are omitted.
 */
export async function writeClient(folder: string): Promise<void> {
  const work = await mkdtemp(path.join(tmpdir(), 'teehouse-client-'));
  try {
    await generate(path.join(work, 'api'));
    await copySources(work);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await compile(work, path.join(folder, 'lib'));
    await cp(path.join(SOURCE, 'README.md'), path.join(folder, 'README.md'));
    await cp(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'));
    await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function generate(output: string): Promise<void> {
  const config = heyApiConfig(withoutAdmin(readApiDocument()), output);
  await createClient({
    ...config,
    output: { path: output, clean: true, entryFile: false, module: { extension: '.js' } },
    plugins: (config.plugins ?? []).filter((plugin) =>
      PLUGINS.includes(typeof plugin === 'string' ? plugin : plugin.name),
    ),
  });
}

/** Returns the document without admin operations and everything referenced only by them. */
function withoutAdmin(document: ApiDocument): ApiDocument {
  const paths = Object.entries(document.paths).map(([route, item]) => {
    const kept = Object.entries(item).filter(
      ([, { tags }]) => !(tags as string[] | undefined)?.includes('admin'),
    );
    return [route, Object.fromEntries(kept)] as const;
  });
  const left = Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0));
  const named = new Set<string>();
  const open: unknown[] = [left, document.components.securitySchemes];
  for (const node of open) {
    if (typeof node !== 'object' || node === null) continue;
    const { $ref } = node as { $ref?: unknown };
    if (typeof $ref === 'string' && !named.has($ref)) {
      named.add($ref);
      const [section = '', name = ''] = $ref.replace('#/components/', '').split('/');
      open.push(ownValue(ownValue(document.components, section) ?? {}, name));
    }
    open.push(...Object.values(node));
  }
  const components = Object.entries(document.components).map(([section, entries]) => {
    const used = Object.entries(entries).filter(
      ([name]) => section === 'securitySchemes' || named.has(`#/components/${section}/${name}`),
    );
    return [section, Object.fromEntries(used)] as const;
  });
  return { ...document, paths: left, components: Object.fromEntries(components) };
}

async function copySources(work: string): Promise<void> {
  const names = (await readdir(SOURCE)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  for (const name of names) {
    let text = await readFile(path.join(SOURCE, name), 'utf8');
    for (const [specifier, instead] of IMPORTED) text = text.replaceAll(specifier, instead);
    await writeFile(path.join(work, name), text);
  }
  await cp(path.join(ROOT, 'console/lib/apiVersion.ts'), path.join(work, 'apiVersion.ts'));
}

async function compile(work: string, outDir: string): Promise<void> {
  const options = {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    strict: true,
    skipLibCheck: true,
    declaration: true,
    verbatimModuleSyntax: true,
    types: [],
    rootDir: '.',
    outDir,
  };
  // The generated files are modules of a package like this one.
  await writeFile(path.join(work, 'package.json'), '{ "type": "module" }\n');
  await writeFile(
    path.join(work, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['**/*.ts'] }),
  );
  const { code, output } = await runNode([bin('tsgo/bin/tsc'), '-p', path.join(work, 'tsconfig.json')]);
  if (code !== 0) throw new Error(`the client doesn't compile:\n${output}`);
}

async function manifest(): Promise<object> {
  const { version, license, engines } = JSON.parse(
    await readFile(path.join(ROOT, 'package.json'), 'utf8'),
  ) as { version: string; license: string; engines: object };
  return {
    name: 'teehouse-client',
    version,
    description: 'Typed client of the Teehouse API.',
    license,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './lib/index.d.ts', default: './lib/index.js' } },
    files: ['lib'],
    engines,
  };
}
