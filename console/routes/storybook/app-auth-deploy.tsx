import { createFileRoute } from '@tanstack/react-router';
import { DeployContractStory, deployStates } from '../../features/apps/deploy/contract/DeployContractStory';
import { ContractPreview } from '../../storybook/ContractPreview';
import { previewSearch } from '../../storybook/search';

export const Route = createFileRoute('/storybook/app-auth-deploy')({
  validateSearch: previewSearch,
  staticData: {
    crumb: null /* a preview, under no team */,
    title: 'App auth deploy · Component preview',
  },
  component: function StorybookAppAuthDeploy() {
    return (
      <ContractPreview
        title="App auth deploy"
        text="The step of a deployment in which a wallet deploys the contract that guards the app’s keys. Uses sample data, and a wallet without a key or a network."
        states={deployStates}
        View={DeployContractStory}
        search={Route.useSearch()}
      />
    );
  },
});
