import { counted } from '../../../lib/texts/count';

/** An image to send with a message. */
export interface Attachment {
  id: number;
  name: string;
  /** Data URL, which is also what the request contains. */
  url: string;
  /** Of the file. */
  bytes: number;
}

export interface Attached {
  /** Of the message being written. */
  images: readonly Attachment[];
  /** Bytes of the images in the conversation so far. */
  sentBytes: number;
}

export const NOTHING_ATTACHED: Attached = { images: [], sentBytes: 0 };

let lastId = 0;

/** Returns an ID that no other attachment of this page has. */
export const newAttachmentId = (): number => (lastId += 1);

/** The formats that vision models read. */
export const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

const MB = 1_000_000;
const MAX_IMAGES = 4;
const MAX_IMAGE_BYTES = 5 * MB;
/** Each message is sent with all before it. As base64, these leave room in the 32 MiB of a request. */
const MAX_TOGETHER = 20 * MB;

type Chosen = Pick<File, 'name' | 'type' | 'size'>;

interface Before {
  /** Images attached to this message. */
  count: number;
  /** Bytes of all images of the conversation, these included. */
  bytes: number;
}

/** Returns the chosen files that can be attached, and why the first of the others can't. */
export function attachable<F extends Chosen>(
  files: readonly F[],
  before: Before,
): { taken: F[]; problem: string | null } {
  const taken: F[] = [];
  let problem: string | null = null;
  let { count, bytes } = before;
  for (const file of files) {
    const fault = faultOf(file, { count, bytes });
    if (fault !== null) problem ??= fault;
    else {
      taken.push(file);
      count += 1;
      bytes += file.size;
    }
  }
  return { taken, problem };
}

function faultOf({ name, type, size }: Chosen, { count, bytes }: Before): string | null {
  if (!IMAGE_TYPES.includes(type)) return `${name} isn’t a PNG, JPEG, WebP or GIF image.`;
  if (size > MAX_IMAGE_BYTES)
    return `${name} is larger than ${MAX_IMAGE_BYTES / MB} MB. Choose a smaller one.`;
  if (count >= MAX_IMAGES) return `A message can have up to ${counted(MAX_IMAGES, ['image', 'images'])}.`;
  if (bytes + size > MAX_TOGETHER)
    return `Images in a conversation can total ${MAX_TOGETHER / MB} MB. Clear the conversation to attach more.`;
  return null;
}

const bytesOf = (images: readonly Attachment[]) => images.reduce((sum, { bytes }) => sum + bytes, 0);

/** Returns what is attached, for `attachable`. */
export const beforeOf = ({ images, sentBytes }: Attached): Before => ({
  count: images.length,
  bytes: sentBytes + bytesOf(images),
});

/** Sends these images. Others may have been attached in the meantime. */
export const sending =
  (sent: readonly Attachment[]) =>
  ({ images, sentBytes }: Attached): Attached => ({
    images: images.filter((image) => !sent.includes(image)),
    sentBytes: sentBytes + bytesOf(sent),
  });

/** Attaches images again whose message wasn't sent after all. */
export const attachingAgain =
  (unsent: readonly Attachment[]) =>
  ({ images, sentBytes }: Attached): Attached => ({
    images: [...unsent, ...images].slice(0, MAX_IMAGES),
    sentBytes: Math.max(0, sentBytes - bytesOf(unsent)),
  });

/** Reads a file into a data URL. */
export const readDataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('The file couldn’t be read.'));
    reader.readAsDataURL(file);
  });
