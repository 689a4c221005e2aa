import {
  ContractFunctionExecutionError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  type BaseError,
} from 'viem';
import { chainText } from './chainText';

const MAX_REASON = 500;

/** Returns a contract's reason for a refusal, for the end of a sentence. Contracts give any text, and some none. */
export const refusalReason = (text: string): string =>
  chainText(text, MAX_REASON)
    .trim()
    .replace(/[\s.]+$/, '') || 'no reason given';

/**
 * Returns why a KMS contract that asks an app's contract gave no answer. What the app's contract reverts with, it passes on.
 * @param error of a call that no transport failed
 */
export function unansweredReason(error: unknown): string {
  if (!(error instanceof ContractFunctionExecutionError)) return "the app's contract gave no answer";
  const find = <E extends BaseError>(kind: new (...args: never[]) => E) =>
    error.walk((cause) => cause instanceof kind) as E | null;
  if (find(ContractFunctionZeroDataError)) return 'the KMS contract gave no answer';
  const words = wordsOf(find(ContractFunctionRevertedError));
  return words === null
    ? "the app's contract gave no answer"
    : `the app's contract failed with “${refusalReason(words)}”`;
}

function wordsOf(reverted: ContractFunctionRevertedError | null): string | null {
  const { errorName, args } = reverted?.data ?? {};
  const [first] = args ?? [];
  if (errorName === 'Error' && typeof first === 'string' && first.trim() !== '') return first;
  return errorName === 'Panic' ? (reverted?.reason ?? null) : null;
}
