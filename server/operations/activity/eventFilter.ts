import { parseUuid } from '../../../console/lib/ids';
import type { EventFilter } from '../../db/events';
import { Problem } from '../../domain/problem';
import { parseAppId } from '../apps/appId';
import { teamOf } from '../shared/caller';
import type { Context } from '../types';
import { cvmIdsOf } from './cvmIds';

interface Asked {
  app_id?: string;
  cvm?: string;
  operation?: string;
  kind?: string;
}

/** The query of listEvents and streamEvents. @throws for what cannot name an app or operation, or names no CVM. */
export async function eventFilter(ctx: Context, asked: Asked): Promise<EventFilter> {
  return {
    team_id: teamOf(ctx).id,
    app_id: asked.app_id ? known(parseAppId(asked.app_id), 'app') : undefined,
    cvm_ids: asked.cvm ? await cvmIdsOf(ctx, asked.cvm) : undefined,
    correlation_id: asked.operation ? known(parseUuid(asked.operation), 'operation') : undefined,
    kind: asked.kind || undefined,
  };
}

function known(id: string | null, what: string): string {
  if (id === null) throw new Problem('NOT_FOUND', { message: `The requested ${what} was not found` });
  return id;
}
