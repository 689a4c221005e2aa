/** Thread that turns Compose files into plans; see planner.ts. */
import { parentPort } from 'node:worker_threads';
import { ComposeError, planCompose } from './compose/plan';
import type { PlanReply, PlanRequest } from './planner';

parentPort?.on('message', ({ source, env, limits }: PlanRequest) => {
  parentPort?.postMessage(answer(source, env, limits));
});

function answer(source: string, env: PlanRequest['env'], limits: PlanRequest['limits']): PlanReply {
  try {
    return { plan: planCompose(source, env, limits) };
  } catch (error) {
    if (error instanceof ComposeError) return { refused: error.message };
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
