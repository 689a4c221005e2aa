import type {
  AdminFleet,
  AdminFleetGpu,
  AdminFleetNode,
  AdminFleetTeepod,
} from '../../../generated/api/types.gen';
import { adminMaintenanceOut } from './adminFleetResponse';
import {
  fleetConcerns,
  grouped,
  nearestWindow,
  needsPerson,
  sumsOf,
  type NodeOnMap,
  type TeepodOnMap,
} from './fleetMap';

/** The API schema's limits. Each list comes with a total count. */
const MAX_REGIONS = 500;
const MAX_TEEPODS = 200;
const MAX_GPUS = 64;
const MAX_CONCERNS = 20;

type GpuOnMap = AdminFleetGpu & { teepod_id: number };

export function fleetRegionsOut(nodes: readonly NodeOnMap[]): Pick<AdminFleet, 'regions' | 'region_count'> {
  const byRegion = grouped(nodes, ({ region }) => region);
  const regions = [...byRegion]
    .map(([region, members]) => ({
      region,
      nodes: members.length,
      teepods: members.reduce((sum, { teepods }) => sum + teepods.length, 0),
      attention: members.filter(needsPerson).length,
      sums: sumsOf(members.flatMap(({ teepods }) => teepods)),
    }))
    .toSorted((a, b) => (a.region ?? '~').localeCompare(b.region ?? '~'))
    .slice(0, MAX_REGIONS);
  return { regions, region_count: byRegion.size };
}

/** @param gpus those of the node's teepods, and possibly of others */
export function fleetNodeOut(node: NodeOnMap, gpus: readonly GpuOnMap[]): AdminFleetNode {
  const window = nearestWindow(node);
  return {
    id: node.id,
    name: node.name,
    region: node.region,
    state: node.state,
    maintenance: window ? adminMaintenanceOut(window) : null,
    teepods: node.teepods.slice(0, MAX_TEEPODS).map((teepod) => teepodOut(teepod, gpus)),
    teepod_count: node.teepods.length,
    concerns: node.concerns,
  };
}

function teepodOut(teepod: TeepodOnMap, gpus: readonly GpuOnMap[]): AdminFleetTeepod {
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
      .slice(0, MAX_GPUS)
      .map(({ id, slot, state }) => ({ id, slot: slot.slice(0, 64), state })),
    concerns: concerns.slice(0, MAX_CONCERNS),
    concern_count: concerns.length,
  };
}
