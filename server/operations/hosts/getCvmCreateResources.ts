import { listActiveInstanceTypes } from '../../db/catalog/catalog';
import { countFreeGpus } from '../../db/hosts/gpus';
import { listKmsGroups } from '../../db/kms/kmsContracts';
import { kmsContractId } from '../../domain/kms/kmsContractResponse';
import {
  createGatewayOut,
  createInstanceTypeOut,
  createKmsOut,
  createNodeKmsOut,
  gpuAvailabilityOut,
} from '../../domain/catalog/createResourcesResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { availableHosts } from './availableHosts';

/** Lists what a deployment of the team can use now. */
export const getCvmCreateResources: Handler<'getCvmCreateResources'> = async ({ ctx }) => {
  const { tier, capacity, nodes, hosts, kms, kmsIds, images } = await availableHosts(ctx);
  const ids = nodes.map(({ teepod_id }) => teepod_id);
  const [groups, types, gpus] = await Promise.all([
    listKmsGroups(ctx.db),
    listActiveInstanceTypes(ctx.db),
    countFreeGpus(ctx.db, teamOf(ctx).id, ids),
  ]);
  const contractOf = (id: number) => {
    const group = groups.find((one) => one.ids.has(id));
    return group ? kmsContractId(group.first) : null;
  };
  const kmsOf = new Map(kms.map((row) => [row.id, row]));
  const namesOn = (teepods: readonly number[]) => [
    ...new Set(teepods.flatMap((id) => (images.get(id) ?? []).map(({ name }) => name))),
  ];
  const placed = hosts.flatMap((host) =>
    (kmsIds.get(host.teepod_id) ?? []).flatMap((id) => {
      const row = kmsOf.get(id);
      const contract = row && contractOf(row.id);
      return row && contract ? [{ host, kms: row, contract }] : [];
    }),
  );
  return {
    status: 200,
    body: {
      tier,
      capacity,
      nodes,
      kms_nodes: kms.map((row) => {
        const under = ids.filter((id) => kmsIds.get(id)?.includes(row.id));
        return createKmsOut(row, contractOf(row.id), namesOn(under));
      }),
      node_kms_relations: placed.map((one) =>
        createNodeKmsOut(one.host.teepod_id, one.kms, one.contract, namesOn([one.host.teepod_id])),
      ),
      gateway_nodes: placed.flatMap(({ host, contract }) =>
        host.gateway_base_domain === null
          ? []
          : [createGatewayOut(host.teepod_id, contract, host.gateway_base_domain)],
      ),
      instance_types: types.map(createInstanceTypeOut),
      gpu_availability: gpuAvailabilityOut(gpus),
    },
  };
};
