import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { writeDurable } from '../../teepod/durable';
import { ToolFault, type McpServer } from '../protocol';

const MAX_NOTES = 10_000;
const MAX_TEXT = 4000;

interface Note {
  id: string;
  text: string;
  at: string;
}
/** A line of the file: a note, or that one was forgotten. */
type Line = Note | { forgotten: string };

/**
 * Notes that outlive a conversation and a power failure, in a file of one JSON value per line. A note is on the disk before
 * its ID is returned.
 */
export async function memoryServer(folder: string): Promise<McpServer> {
  const file = path.join(folder, 'notes.jsonl');
  const notes = await readNotes(file);
  // Drops what was forgotten, and half a line that a crash left.
  const compact = [...notes.values()].map((note) => `${JSON.stringify(note)}\n`).join('');
  await writeDurable(file, compact);
  const log = await open(file, 'a');
  let size = Buffer.byteLength(compact);

  const write = async (line: Line): Promise<void> => {
    const text = `${JSON.stringify(line)}\n`;
    try {
      await log.appendFile(text);
      await log.datasync();
    } catch (error) {
      // Half a line would spoil the next one.
      await log.truncate(size).catch(() => undefined);
      throw error;
    }
    size += Buffer.byteLength(text);
  };
  let writing: Promise<void> = Promise.resolve();
  const append = (line: Line): Promise<void> => {
    writing = writing.catch(() => undefined).then(() => write(line));
    return writing;
  };
  const newestFirst = () => [...notes.values()].reverse();

  return {
    name: 'mcp-memory',
    title: 'Memory',
    version: '1.0.0',
    instructions: 'Remember what the user wants kept beyond this conversation; search before asking again.',
    tools: [
      {
        name: 'remember',
        title: 'Remember',
        description: 'Stores a note and returns its ID.',
        input: {
          type: 'object',
          properties: {
            text: { type: 'string', description: 'The note.', minLength: 1, maxLength: MAX_TEXT },
          },
          required: ['text'],
          additionalProperties: false,
        },
        is_read_only: false,
        is_destructive: false,
        async call({ text }) {
          if (notes.size >= MAX_NOTES)
            throw new ToolFault(`There are ${MAX_NOTES} notes already. Forget some first.`);
          const note = {
            id: randomBytes(6).toString('hex'),
            text: text as string,
            at: new Date().toISOString(),
          };
          notes.set(note.id, note);
          try {
            await append(note);
          } catch (error) {
            notes.delete(note.id);
            throw error;
          }
          return { id: note.id };
        },
      },
      {
        name: 'search_notes',
        title: 'Search notes',
        description:
          'Returns the notes that contain every word, newest first. Without words, the newest notes.',
        input: {
          type: 'object',
          properties: {
            words: { type: 'string', description: 'Words, separated by spaces.', maxLength: 200 },
            limit: {
              type: 'integer',
              description: 'How many notes at most; 20 by default.',
              minimum: 1,
              maximum: 100,
            },
          },
          required: [],
          additionalProperties: false,
        },
        is_read_only: true,
        is_destructive: false,
        call({ words = '', limit = 20 }) {
          const wanted = (words as string).toLowerCase().split(/\s+/).filter(Boolean);
          const found = newestFirst().filter(({ text }) => {
            const lower = text.toLowerCase();
            return wanted.every((word) => lower.includes(word));
          });
          return { found: found.length, notes: found.slice(0, limit as number) };
        },
      },
      {
        name: 'forget',
        title: 'Forget',
        description: 'Deletes a note.',
        input: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'ID of the note.', pattern: '^[0-9a-f]{12}$', maxLength: 12 },
          },
          required: ['id'],
          additionalProperties: false,
        },
        is_read_only: false,
        is_destructive: true,
        async call({ id }) {
          if (!notes.has(id as string)) throw new ToolFault('There is no note with this ID.');
          await append({ forgotten: id as string });
          notes.delete(id as string);
          return { forgotten: id };
        },
      },
    ],
  };
}

async function readNotes(file: string): Promise<Map<string, Note>> {
  const notes = new Map<string, Note>();
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  for (const line of text.split('\n')) {
    const read = parsed(line);
    if (read === null) continue;
    if ('forgotten' in read) notes.delete(read.forgotten);
    else notes.set(read.id, read);
  }
  return notes;
}

function parsed(line: string): Line | null {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return null;
  }
}
