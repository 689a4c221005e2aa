/** Parts kept before they are joined. */
const MAX_PARTS = 64;

interface PartCollector {
  add(part: Uint8Array): void;
  /** Returns all of them as one buffer. */
  whole(): Buffer<ArrayBuffer>;
}

/**
 * Collects the parts of a body. A server chooses their size: kept one by one, each byte would take a hundred, and
 * its packet would stay in memory.
 */
export function createPartCollector(): PartCollector {
  const joined: Buffer[] = [];
  let parts: Uint8Array[] = [];
  return {
    add(part) {
      parts.push(part);
      if (parts.length < MAX_PARTS) return;
      joined.push(Buffer.concat(parts));
      parts = [];
    },
    whole: () => Buffer.concat([...joined, ...parts]),
  };
}
