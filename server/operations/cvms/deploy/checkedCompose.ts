import type { ComposeAnalysis } from '../../../../console/lib/compose/composeFile';
import {
  AppComposeError,
  buildAppCompose,
  composeSize,
  type AppComposeInput,
} from '../../../../console/lib/compose/composeHash';
import { rememberComposeFacts } from '../../../domain/apps/composeFacts';
import { Problem } from '../../../domain/core/problem';
import { userOf } from '../../core/caller';
import type { Context } from '../../types';

/**
 * Analyzes a file before the transaction that needs the result: no lock is held while it waits for its turn,
 * and the check inside finds the cached result.
 *
 * @throws COMPOSE_TOO_COMPLEX, RATE_LIMITED
 */
export async function analyzeAhead(ctx: Context, docker_compose_file: string | undefined): Promise<void> {
  if (docker_compose_file !== undefined && composeSize(docker_compose_file).fits)
    await ctx.compose.analyze(docker_compose_file, ownerOf(ctx));
}

/** Analyzes a file together with its known context, for all findings. */
export function analyzeWhole(ctx: Context, compose: AppComposeInput): Promise<ComposeAnalysis> {
  return ctx.compose.analyze(compose.docker_compose_file, ownerOf(ctx), {
    secretNames: compose.allowed_envs,
    preLaunchScript: compose.pre_launch_script,
  });
}

/** Users, not teams, take turns: one user can be in any number of teams. */
const ownerOf = (ctx: Context) => `user:${userOf(ctx).id}`;

/**
 * Returns the exact bytes the guest measures, after the checks that would otherwise fail in the guest.
 *
 * @param accepted the text that was checked when it was deployed; it is not checked again
 * @throws INVALID_COMPOSE_FILE, COMPOSE_TOO_COMPLEX, RATE_LIMITED
 */
export async function checkedAppCompose(
  ctx: Context,
  compose: AppComposeInput,
  accepted?: string,
): Promise<ReturnType<typeof buildAppCompose>> {
  checkSize(compose);
  if (compose.docker_compose_file === accepted) return built(compose);
  const analysis = await ctx.compose.analyze(compose.docker_compose_file, ownerOf(ctx));
  refuseErrors(analysis, new Set(compose.allowed_envs));
  const made = built(compose);
  rememberComposeFacts({ compose_hash: made.compose_hash, app_compose: made.bytes }, analysis.services);
  return made;
}

function checkSize({ docker_compose_file, pre_launch_script, init_script }: AppComposeInput): void {
  const { bytes, limit, fits } = composeSize(docker_compose_file, pre_launch_script, init_script);
  if (fits) return;
  throw new Problem('INVALID_COMPOSE_FILE', {
    message: `The Compose file and its scripts total ${bytes} bytes; the limit is ${limit}.`,
    details: [{ field: 'docker_compose_file' }],
  });
}

/** @throws INVALID_COMPOSE_FILE, COMPOSE_TOO_COMPLEX */
export function refuseErrors({ findings, variables }: ComposeAnalysis, secrets: ReadonlySet<string>): void {
  const errors = [
    // Without its secrets, a file lacks a value for every required variable.
    ...findings.filter(({ severity, code }) => severity === 'error' && code !== 'variable_required'),
    ...variables
      .filter(({ name, required }) => required && !secrets.has(name))
      .map(({ name, line, column }) => ({
        code: 'variable_required' as const,
        line,
        column,
        message: `${name} has no value: there is no secret with that name.`,
      })),
  ];
  const [first] = errors;
  if (!first) return;
  const details = errors.slice(0, 20).map(({ line, column, message }) => ({
    field: 'docker_compose_file',
    message: `line ${line}, column ${column}: ${message}`,
  }));
  const tooComplex = errors.find(({ code }) => code === 'too_complex');
  if (tooComplex) throw new Problem('COMPOSE_TOO_COMPLEX', { message: tooComplex.message, details });
  throw new Problem('INVALID_COMPOSE_FILE', {
    message: `Invalid Compose file: line ${first.line}, column ${first.column}: ${first.message}`,
    details,
  });
}

function built(compose: AppComposeInput): ReturnType<typeof buildAppCompose> {
  try {
    return buildAppCompose(compose);
  } catch (error) {
    if (!(error instanceof AppComposeError)) throw error;
    throw new Problem('INVALID_COMPOSE_FILE', {
      message: error.message,
      details: [{ field: error.field, message: error.message }],
    });
  }
}
