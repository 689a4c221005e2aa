/** Whether a host has the GPUs a CVM needs, by their product; and what people are told when none has. */

export interface GpuModel {
  /** As the host reports it, "10de:2335"; null where any will do. */
  product_id: string | null;
  /** As people know it: "NVIDIA H200". */
  name: string;
}

/** What a host has of one product, and why a team cannot have some of it now. */
export interface GpuStock {
  teepod_id: number;
  /** Of the host. */
  name: string;
  product_id: string | null;
  all: number;
  free: number;
  used: number;
  /** Kept for other teams. */
  kept: number;
  /** Faulty, not reported any more, or given to a VM that is none of ours. */
  broken: number;
}

/** One for each wish, those of a product before those of any; null when one is not there. */
export function pickGpus<G extends { product_id: string | null }>(
  free: readonly G[],
  wishes: readonly (string | null)[],
): G[] | null {
  const left = [...free];
  const taken = [...wishes]
    .sort((a, b) => Number(a === null) - Number(b === null))
    .flatMap((wish) => {
      const at = left.findIndex(({ product_id }) => wish === null || product_id === wish);
      return at < 0 ? [] : left.splice(at, 1);
    });
  return taken.length === wishes.length ? taken : null;
}

export const hasGpus = (stock: readonly GpuStock[], wishes: readonly (string | null)[]): boolean =>
  pickGpus(
    stock.flatMap((one) => Array<GpuStock>(one.free).fill(one)),
    wishes,
  ) !== null;

/** Names the product that is missing, and who has it on the host that comes nearest. */
export function whyNoGpus(stock: readonly GpuStock[], wanted: readonly GpuModel[]): string {
  const counts = new Map<string | null, { name: string; count: number }>();
  for (const { product_id, name } of wanted)
    counts.set(product_id, { name, count: (counts.get(product_id)?.count ?? 0) + 1 });
  const of = (product_id: string | null) =>
    stock
      .filter((one) => product_id === null || one.product_id === product_id)
      .sort((a, b) => b.free - a.free || b.all - a.all);
  const needs = [...counts].map(([product_id, need]) => ({ ...need, nearest: of(product_id)[0] }));
  const short = needs.find(({ nearest, count }) => (nearest?.free ?? 0) < count) ?? needs[0];
  if (!short) return 'No other host has the GPUs it needs.';
  const { name, count, nearest } = short;
  if (!nearest) return `It needs ${count} × ${name}, which no other host that could take it has.`;
  const parts = [
    [nearest.free, 'free'],
    [nearest.used, 'in use'],
    [nearest.kept, 'kept for other teams'],
    [nearest.broken, 'out of service'],
  ] as const;
  const said = parts.flatMap(([n, what]) => (n > 0 ? [`${n} ${what}`] : []));
  return `It needs ${count} × ${name}; of other hosts, ${nearest.name} comes nearest with ${nearest.all}: ${said.join(', ')}.`;
}
