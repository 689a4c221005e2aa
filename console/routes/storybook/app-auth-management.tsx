import { createFileRoute } from '@tanstack/react-router';
import { ContractStory } from '../../features/kms/contract/ContractStory';
import { contractStates } from '../../features/kms/contract/storyData';
import { ContractPreview } from '../../storybook/ContractPreview';
import { previewSearch } from '../../storybook/search';

export const Route = createFileRoute('/storybook/app-auth-management')({
  validateSearch: previewSearch,
  staticData: {
    crumb: null /* a preview, under no team */,
    title: 'App auth management · Component preview',
  },
  component: function StorybookAppAuthManagement() {
    return (
      <ContractPreview
        title="App auth management"
        text="Shows the contract that guards an app’s keys and changes it through a wallet. Uses sample data, and a wallet without a key or a network."
        states={contractStates}
        View={ContractStory}
        search={Route.useSearch()}
      />
    );
  },
});
