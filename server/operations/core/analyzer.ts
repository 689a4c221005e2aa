import { loadComposeFacts, type ComposeRevision } from '../../domain/apps/composeFacts';
import type { Context } from '../types';
import { userOf } from './caller';

/** Returns the analyzer that lists use for Compose files not seen since the process started. */
export function analyzerOf(ctx: Context): Parameters<typeof loadComposeFacts>[1] {
  // Separate from the queue of the user's own deployments.
  const owner = `lists:${userOf(ctx).id}`;
  return (text) => ctx.compose.analyze(text, owner);
}

/** Reads a revision's Compose file on another thread before a reply is built from it. */
export const loadFacts = (ctx: Context, revision: ComposeRevision): Promise<void> =>
  loadComposeFacts([revision], analyzerOf(ctx));
