import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { verifyChains, type Anchor } from '../db/auditVerify';
import { withDatabase } from './database';
import { CommandError, EXIT, UsageError, type Cli } from './io';
import { parseOptions } from './options';
import { verifyExport } from './verifyExport';

/** `teehouse verify`: whether the audit log is as it was written. Ends with 1 when it is not. */
export async function verifyCommand(cli: Cli, args: string[]): Promise<number> {
  const { since, file, filtered } = parseOptions(args, { since: 'value', file: 'value', filtered: 'flag' });
  if (file !== undefined && since !== undefined)
    throw new UsageError('--file looks at an export, --since at the database. Give one of them.');
  if (filtered && file === undefined) throw new UsageError('--filtered is for an export: give --file.');
  return file === undefined ? await verifyDatabase(cli, since) : await verifyExport(cli, file, filtered);
}

async function verifyDatabase(cli: Cli, since: string | undefined): Promise<number> {
  const anchors = since === undefined ? undefined : await readAnchors(since);
  return withDatabase(cli, 'verify', async ({ db }) => {
    let chains = 0;
    let entries = 0;
    let failed = 0;
    for await (const { name, slug, broken, ...report } of verifyChains(db, anchors)) {
      const of = slug === null ? '' : ` (${slug})`;
      chains += 1;
      entries += report.entries;
      if (broken) {
        failed += 1;
        cli.out(`${name}${of}: BROKEN at entry ${broken.seq}, ${broken.kind}: ${broken.message}`);
      } else cli.out(`${name}${of}: ${report.entries} ${entriesWord(report.entries)}, last ${report.hash}`);
    }
    cli.err(
      failed === 0
        ? `${entries} ${entriesWord(entries)} of ${chains} chain${chains === 1 ? '' : 's'}: nothing was changed.`
        : `${failed} of ${chains} chains ${failed === 1 ? 'is' : 'are'} broken.`,
    );
    return failed === 0 ? EXIT.ok : EXIT.failed;
  });
}

const entriesWord = (n: number) => (n === 1 ? 'entry' : 'entries');

/** What an earlier run printed: who could rewrite a chain with all of its hashes cannot reach that file. */
async function readAnchors(file: string): Promise<Map<string, Anchor>> {
  const text = await readFile(path.resolve(file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read: ${error.code ?? 'no such file'}.`);
  });
  const anchors = new Map<string, Anchor>();
  for (const [, name = '', seq = '', hash = ''] of text.matchAll(
    /^(\S+)(?: \([^)]*\))?: (\d+) entr(?:y|ies), last ([0-9a-f]{64})$/gm,
  ))
    anchors.set(name, { seq: Number(seq), hash });
  if (anchors.size === 0) throw new CommandError(`${file} holds no output of \`teehouse verify\`.`);
  return anchors;
}
