import { useSearch } from '@tanstack/react-router';
import { useCvmAddress } from '../features/cvms/address';
import { composeSearch } from '../features/cvms/search';
import { UpdatePage } from '../features/apps/deploy/UpdatePage';

export function ComposeTab() {
  const { line, template } = composeSearch(useSearch({ strict: false }));
  return <UpdatePage address={useCvmAddress()} line={line} template={template} />;
}
