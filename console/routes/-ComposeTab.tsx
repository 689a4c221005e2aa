import { useSearch } from '@tanstack/react-router';
import { useCvmAddress } from '../features/cvms/address';
import { UpdatePage } from '../features/deploy/UpdatePage';

/** `?line=` of the compose file to begin at. */
export function composeSearch({ line }: Record<string, unknown>): { line?: number } {
  const number = Number(line);
  return Number.isInteger(number) && number > 0 && number < 100_000 ? { line: number } : {};
}

export function ComposeTab() {
  const { line } = composeSearch(useSearch({ strict: false }));
  return <UpdatePage address={useCvmAddress()} line={line} />;
}
