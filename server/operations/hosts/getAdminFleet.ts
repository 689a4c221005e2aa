import { fleetMap, mapGpus } from '../../db/hosts/fleet';
import { mapNodes, needsPerson, sumsOf, type NodeOnMap } from '../../domain/hosts/fleetMap';
import { fleetNodeOut, fleetRegionsOut } from '../../domain/hosts/fleetMapResponse';
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
      ...fleetRegionsOut(nodes),
      nodes: shown.map((node) => fleetNodeOut(node, gpus)),
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
