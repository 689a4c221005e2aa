import { count } from '../../../lib/texts/count';

/** The maximum size of a compose file in bytes; the deploy page checks the rest. */
const MAX_BYTES = 204_800;

interface ReadFile {
  name: string;
  text: string;
}

/** What a file input holds: a file that was read, why it can't be, or nothing. */
export type ChosenFile = ReadFile | { fault: string } | null;

export async function readChosen(
  file: Pick<File, 'name' | 'size' | 'text'> | undefined,
): Promise<ChosenFile> {
  if (!file) return null;
  return file.size > MAX_BYTES
    ? { fault: `${file.name} is ${count(file.size)} bytes; the limit is ${count(MAX_BYTES)}.` }
    : { name: file.name, text: await file.text() };
}

/** Splits it into the file and the input's properties. */
export const inputOf = (chosen: ChosenFile): { file: ReadFile | null; props: { error?: string } } =>
  chosen !== null && 'fault' in chosen
    ? { file: null, props: { error: chosen.fault } }
    : { file: chosen, props: {} };
