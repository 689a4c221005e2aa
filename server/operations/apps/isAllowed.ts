import { deviceOfTeepod } from '../../db/apps/isAllowed';
import type { NumberedIsAllowed } from '../../domain/cvms/cvmResponse20260121';
import { teamOf } from '../core/caller';
import type { Context } from '../types';

interface Question {
  /** Row id. */
  app: number;
  compose_hash: string;
  device_id: string;
  cvm?: { id: number; public_id: string };
}

export const bareHash = (hash: string) => hash.toLowerCase().replace(/^(0x|sha256:)/, '');

/**
 * Decides as the centralized key management service does: it gives keys to every revision this server
 * created, on every device. There is no contract to ask.
 */
export function decideIsAllowed(
  { compose_hash, device_id, cvm }: Question,
  known: boolean,
): NumberedIsAllowed {
  return {
    ...(cvm === undefined ? {} : { cvm_id: cvm.public_id, cvm_number: cvm.id }),
    app_contract_address: '',
    compose_hash,
    device_id,
    compose_hash_allowed: known,
    allow_any_device: true,
    device_id_allowed: true,
    is_allowed: known,
    error: known ? null : 'No revision of the app has this compose hash.',
  };
}

export async function deviceOf(
  ctx: Context,
  target: { node_id?: number; device_id?: string },
  own = '',
): Promise<string> {
  if (target.device_id !== undefined) return bareHash(target.device_id);
  if (target.node_id === undefined) return own;
  return (await deviceOfTeepod(ctx.db, teamOf(ctx).id, target.node_id)) ?? '';
}
