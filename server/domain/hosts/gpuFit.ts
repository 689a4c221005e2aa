/** Matches a CVM's GPU request to a host by product, and explains a refusal. */

import { drainText } from '../../../console/lib/texts/drainTexts';
import type { Text } from '../../../console/lib/texts/text';

export interface GpuModel {
  /** As the host reports it, "10de:2335"; null for any product. */
  product_id: string | null;
  /** Display name: "NVIDIA H200". */
  name: string;
}

/** A host's GPUs of one product, and why a team can't have some of them now. */
export interface GpuStock {
  teepod_id: number;
  /** Host name. */
  name: string;
  product_id: string | null;
  all: number;
  free: number;
  used: number;
  /** Reserved for other teams, or held for those on the waitlist. */
  kept: number;
  /** Faulty, no longer reported, or taken by a VM that isn't ours. */
  broken: number;
}

/** Picks one GPU per request, products before any; an entry is null when none fits. */
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

/** Names the missing product, and its holders on the closest host. */
export function whyNoGpus(stock: readonly GpuStock[], requested: readonly GpuModel[]): Text {
  const counts = new Map<string | null, { model: string; wanted: number }>();
  for (const { product_id, name } of requested)
    counts.set(product_id, { model: name, wanted: (counts.get(product_id)?.wanted ?? 0) + 1 });
  const of = (product_id: string | null) =>
    stock
      .filter((one) => product_id === null || one.product_id === product_id)
      .sort((a, b) => b.free - a.free || b.all - a.all);
  const needs = [...counts].map(([product_id, need]) => ({ ...need, nearest: of(product_id)[0] }));
  const short = needs.find(({ nearest, wanted }) => (nearest?.free ?? 0) < wanted) ?? needs[0];
  if (!short) return drainText('no_gpu_host');
  const { model, wanted, nearest } = short;
  if (!nearest) return drainText('no_gpu_model_host', { model, wanted });
  const { name: host, all: count, free, used, kept: reserved, broken } = nearest;
  return drainText('gpus_taken', { model, wanted, host, count, free, used, reserved, broken });
}
