import { createFileRoute } from '@tanstack/react-router';
import { ContractStory } from '../features/kms/contract/ContractStory';
import { contractStates } from '../features/kms/contract/storyData';
import { ContractPreview } from '../storybook/ContractPreview';
import { previewSearch } from '../storybook/search';

export const Route = createFileRoute('/storybook/app-auth-management')({
  validateSearch: previewSearch,
  staticData: {
    crumb: null /* a preview, under no team */,
    title: 'App auth management · Component preview',
  },
  component: function StorybookAppAuthManagement() {
    return <ContractPreview states={contractStates} View={ContractStory} search={Route.useSearch()} />;
  },
});
