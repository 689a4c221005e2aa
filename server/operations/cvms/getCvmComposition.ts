import type { Container, CvmComposition } from '../../../generated/api/types.gen';
import { findCvm } from '../../db/cvms/cvmLookup';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { composeFacts } from '../../domain/apps/composeFacts';
import { isSimulated } from '../../domain/cvms/cvmResponse';
import { containerLogUrl, logReader } from '../../domain/logs/logUrls';
import { short } from '../../domain/core/references';
import type { GuestContainer } from '../../drivers/vmm';
import { loadFacts } from '../core/analyzer';
import { teamOf } from '../core/caller';
import { noteRead } from '../core/staffRead';
import type { Context, Handler } from '../types';
import { askGuest } from './askGuest';

export const getCvmComposition: Handler<'getCvmComposition'> = async ({ path, ctx }) => {
  const row = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  await loadFacts(ctx, row.revision);
  await noteRead(ctx, row.cvm, 'compose');
  const { value, error } = await askGuest(ctx, row, (guest, id, options) =>
    guest.listContainers(id, options),
  );
  const facts = composeFacts(row.revision);
  const body: CvmComposition = {
    is_online: value !== null,
    is_public: row.cvm.public_logs,
    error,
    docker_compose_file: row.revision.docker_compose_file,
    manifest_version: facts.manifest_version,
    version: '1.0.0',
    runner: facts.runner,
    features: facts.features,
    containers: value && value.slice(0, 500).map((container) => toContainer(container, row, ctx)),
    simulated: isSimulated(row.teepod),
  };
  return { status: 200, body };
};

function toContainer(container: GuestContainer, { cvm }: JoinedCvm, ctx: Context): Container {
  const name = container.names[0]?.replace(/^\//, '') ?? container.id;
  return {
    id: short(container.id, 128),
    names: container.names.slice(0, 20).map((one) => short(one, 256)),
    image: short(container.image, 512),
    image_id: short(container.image_id, 256),
    command: null,
    created: Math.min(Math.max(0, Math.trunc(container.created)), 4_102_444_800),
    state: short(container.state, 32),
    status: short(container.status, 200),
    log_endpoint:
      name === ''
        ? null
        : containerLogUrl(
            { publicUrl: ctx.config.publicUrl, seal: ctx.seal, reader: logReader(ctx.caller) },
            cvm,
            name,
          ),
  };
}
