/** Most values kept under one name; older ones are dropped. */
const MAX_VALUES = 12;
/** Parts of a reply that are read. */
const MAX_DEPTH = 6;
const MAX_ITEMS = 8;
const MAX_TEXT = 200;

/** Fields that may stand in the path of what they belong to. */
const IDENTIFIERS = new Set(['id', 'public_id', 'slug', 'name', 'vm_uuid', 'app_id', 'correlation_id']);

/** Values of the server's replies, so that later requests refer to what exists. */
export class SeenValues {
  readonly #byName = new Map<string, unknown[]>();
  readonly #byCollection = new Map<string, unknown[]>();

  add(name: string, value: unknown): void {
    keep(this.#byName, name, value);
  }

  /** Reads a reply. @param collection the path of its operation, up to an identifier, such as `/apps/` */
  read(reply: unknown, collection: string, depth = 0): void {
    if (typeof reply !== 'object' || reply === null || depth > MAX_DEPTH) return;
    if (Array.isArray(reply)) {
      for (const item of reply.slice(0, MAX_ITEMS)) this.read(item, collection, depth + 1);
      return;
    }
    for (const [name, value] of Object.entries(reply)) {
      if (
        typeof value === 'number' ||
        (typeof value === 'string' && value !== '' && value.length <= MAX_TEXT)
      ) {
        this.add(name, value);
        if (IDENTIFIERS.has(name) && depth <= 2) keep(this.#byCollection, collection, value);
      }
      this.read(value, collection, depth + 1);
    }
  }

  /** Returns values of fields with this name, and for `key_id` also those of `…/keys/`. */
  named(name: string): readonly unknown[] {
    const own = this.#byName.get(name) ?? [];
    if (!name.endsWith('_id')) return own;
    const noun = name.slice(0, -'_id'.length).replaceAll('_', '-');
    const others = [...this.#byCollection].flatMap(([path, values]) => (path.includes(noun) ? values : []));
    return [...own, ...others];
  }

  /** Returns the identifiers that fit a parameter in an operation's path. */
  inPath(path: string, parameter: string): string[] {
    const collection = path.slice(0, path.indexOf(`{${parameter}}`));
    return [...(this.#byCollection.get(collection) ?? []), ...(this.#byName.get(parameter) ?? [])].map(
      String,
    );
  }
}

function keep(values: Map<string, unknown[]>, key: string, value: unknown): void {
  const kept = values.get(key) ?? [];
  if (kept.includes(value)) return;
  kept.push(value);
  if (kept.length > MAX_VALUES) kept.shift();
  values.set(key, kept);
}
