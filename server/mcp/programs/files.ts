import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ownValue } from '../../../console/lib/ownValue';
import { syncDirectory, writeDurable } from '../../teepod/durable';
import { ToolFault, type McpServer } from '../protocol';

const MAX_TEXT = 1_000_000;
const MAX_LISTED = 1000;
/** Names that can't leave the folder: no empty part, no `.` or `..`, no control character, no backslash. */
const PATH = String.raw`^(?!.*(?:^|/)\.{1,2}(?:/|$))[^/\\\x00-\x1f]+(?:/[^/\\\x00-\x1f]+)*$`;

const pathInput = (description: string) =>
  ({ type: 'string', description, minLength: 1, maxLength: 500, pattern: PATH }) as const;

/** Text files in a folder on the encrypted disk. */
export function filesServer(folder: string): McpServer {
  const at = (name: unknown) => path.join(folder, name as string);
  return {
    name: 'mcp-files',
    title: 'Files',
    version: '1.0.0',
    instructions: 'A folder of text files. Paths are relative, such as reports/2026.md.',
    tools: [
      {
        name: 'list_files',
        title: 'List files',
        description: 'Lists a folder with the size of each file in bytes.',
        input: {
          type: 'object',
          properties: { folder: pathInput('The folder; the topmost by default.') },
          required: [],
          additionalProperties: false,
        },
        is_read_only: true,
        is_destructive: false,
        async call({ folder: name = '.' }) {
          const entries = await readdir(at(name), { withFileTypes: true }).catch(refuse);
          const shown = entries
            .filter((entry) => entry.isFile() || entry.isDirectory())
            .toSorted((a, b) => (a.name < b.name ? -1 : 1));
          const listed = await Promise.all(
            shown.slice(0, MAX_LISTED).map(async (entry) => ({
              name: entry.name,
              ...(entry.isDirectory()
                ? { is_folder: true }
                : { bytes: (await stat(path.join(at(name), entry.name))).size }),
            })),
          );
          return { found: shown.length, entries: listed };
        },
      },
      {
        name: 'read_file',
        title: 'Read file',
        description: 'Returns the text of a file.',
        input: {
          type: 'object',
          properties: { path: pathInput('The file.') },
          required: ['path'],
          additionalProperties: false,
        },
        is_read_only: true,
        is_destructive: false,
        async call({ path: name }) {
          const { size } = await stat(at(name)).catch(refuse);
          if (size > 4 * MAX_TEXT) throw new ToolFault('The file is too large to read.');
          return readFile(at(name), 'utf8').catch(refuse);
        },
      },
      {
        name: 'write_file',
        title: 'Write file',
        description: 'Creates or replaces a file, and the folders it is in.',
        input: {
          type: 'object',
          properties: {
            path: pathInput('The file.'),
            text: { type: 'string', description: 'Its whole text.', maxLength: MAX_TEXT },
          },
          required: ['path', 'text'],
          additionalProperties: false,
        },
        is_read_only: false,
        is_destructive: true,
        async call({ path: name, text }) {
          const file = at(name);
          try {
            await mkdir(path.dirname(file), { recursive: true });
            await writeDurable(file, text as string);
          } catch (error) {
            refuse(error);
          }
          return { written: name };
        },
      },
      {
        name: 'delete_file',
        title: 'Delete file',
        description: 'Deletes a file.',
        input: {
          type: 'object',
          properties: { path: pathInput('The file.') },
          required: ['path'],
          additionalProperties: false,
        },
        is_read_only: false,
        is_destructive: true,
        async call({ path: name }) {
          const file = at(name);
          await rm(file).catch(refuse);
          await syncDirectory(path.dirname(file));
          return { deleted: name };
        },
      },
    ],
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder.',
  EISDIR: 'This is a folder.',
  ERR_FS_EISDIR: 'This is a folder.',
  ENOTDIR: 'Part of the path is a file.',
  EEXIST: 'Part of the path is a file.',
  ENAMETOOLONG: 'The name is too long.',
  ENOSPC: 'The disk is full.',
};

/** Says what the model can correct; everything else is a fault of the server. */
function refuse(error: unknown): never {
  const reason = ownValue(REASONS, (error as NodeJS.ErrnoException).code ?? '');
  throw reason === undefined ? error : new ToolFault(reason);
}
