import {
  type ContractFunctionExecutionError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
} from 'viem';
import { chainText } from './chainText';

const MAX_REASON = 500;

/**
 * Returns a contract's reason for a refusal, as the end of a sentence. Contracts give any text, and some none.
 */
export const refusalReason = (text: string): string =>
  chainText(text, MAX_REASON)
    .trim()
    .replace(/[\s.]+$/, '') || 'no reason given';

/**
 * Returns why a KMS contract that calls an app's contract gave no answer. It passes on the revert of the app's
 * contract.
 */
export function unansweredReason(error: ContractFunctionExecutionError): string {
  if (error.walk((cause) => cause instanceof ContractFunctionZeroDataError))
    return 'the KMS contract gave no answer';
  const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  const words = wordsOf(reverted as ContractFunctionRevertedError | null);
  return words === null
    ? "the app's contract gave no answer"
    : `the app's contract failed with “${refusalReason(words)}”`;
}

function wordsOf(reverted: ContractFunctionRevertedError | null): string | null {
  const data = reverted?.data;
  if (!data) return null;
  const [first] = (data.args ?? []) as readonly unknown[];
  if (data.errorName === 'Error' && typeof first === 'string' && first.trim() !== '') return first;
  return data.errorName === 'Panic' ? (reverted.reason ?? null) : null;
}
