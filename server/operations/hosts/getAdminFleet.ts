import type { AdminFleetNode, AdminFleetSums, AdminFleetTeepod } from '../../../generated/api/types.gen';
import { fleetMap, mapGpus, type MapGpu } from '../../db/hosts/fleet';
import {
  fleetConcerns,
  grouped,
  mapNodes,
  nearestWindow,
  needsPerson,
  sumsOf,
  type NodeOnMap,
} from '../../domain/hosts/fleetMap';
import { adminMaintenanceOut } from '../../domain/hosts/adminFleetResponse';
import type { Handler } from '../types';

const PAGE_SIZE = 50;

/**
 * Returns nodes with their teepods and GPUs for the matches that fit one page, and sums per region for all.
 */
export const getAdminFleet: Handler<'getAdminFleet'> = async ({ query, ctx }) => {
  const { q = '', region, attention = false, page = 1 } = query;
  const everything = await fleetMap(ctx.db);
  const nodes = mapNodes(everything);
  const fitting = nodes.filter(
    (node) =>
      matches(node, q.trim().toLowerCase()) &&
      (region === undefined || (node.region ?? '') === region) &&
      (!attention || needsPerson(node)),
  );
  const shown = fitting.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const gpus = await mapGpus(
    ctx.db,
    shown.flatMap(({ teepods }) => teepods.map(({ id }) => id)),
  );
  const teepods = everything.teepods;
  return {
    status: 200,
    body: {
      sums: sumsOf(teepods),
      regions: regionsOf(nodes),
      nodes: shown.map((node) => nodeOut(node, gpus)),
      total: fitting.length,
      attention: nodes.filter(needsPerson).length,
      drift: teepods.reduce((sum, { drift }) => sum + drift, 0),
      drains: teepods.filter(({ drain_id }) => drain_id !== null).length,
      page,
      page_size: PAGE_SIZE,
    },
  };
};

/** Matches a node by its name or region, or by the name or address of one of its teepods. */
const matches = (node: NodeOnMap, text: string) =>
  text === '' ||
  [node.name, node.region ?? '', ...node.teepods.flatMap(({ name, url }) => [name, url])].some((one) =>
    one.toLowerCase().includes(text),
  );

function regionsOf(nodes: readonly NodeOnMap[]) {
  const byRegion = grouped(nodes, ({ region }) => region);
  return [...byRegion]
    .map(([region, members]) => ({
      region,
      nodes: members.length,
      teepods: members.reduce((sum, { teepods }) => sum + teepods.length, 0),
      attention: members.filter(needsPerson).length,
      sums: sumsOf(members.flatMap(({ teepods }) => teepods)) satisfies AdminFleetSums,
    }))
    .toSorted((a, b) => (a.region ?? '~').localeCompare(b.region ?? '~'))
    .slice(0, 500);
}

function nodeOut(node: NodeOnMap, gpus: readonly MapGpu[]): AdminFleetNode {
  const window = nearestWindow(node);
  return {
    id: node.id,
    name: node.name,
    region: node.region,
    state: node.state,
    maintenance: window ? adminMaintenanceOut(window) : null,
    teepods: node.teepods.slice(0, 200).map((teepod): AdminFleetTeepod => {
      const { concerns, oversubscribed } = fleetConcerns(teepod);
      return {
        id: teepod.id,
        name: teepod.name,
        kind: teepod.kind,
        state: teepod.state,
        reachable: teepod.reachable,
        drift: teepod.drift,
        drain_id: teepod.drain_id,
        oversubscribed,
        sums: sumsOf([teepod]),
        gpus: gpus
          .filter(({ teepod_id }) => teepod_id === teepod.id)
          .slice(0, 64)
          .map(({ id, slot, state }) => ({ id, slot: slot.slice(0, 64), state })),
        concerns: concerns.slice(0, 20),
      };
    }),
    concerns: node.concerns,
  };
}
