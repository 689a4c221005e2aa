import { lazy } from 'react';
import { StepUpHost as Host } from '../../ui/StepUpHost';

// Passwords, codes and passkeys: only few pages of a day ask.
const StepUpDialog = lazy(() =>
  import('./StepUpDialog').then(({ StepUpDialog }) => ({ default: StepUpDialog })),
);

export const StepUpHost = () => <Host dialog={StepUpDialog} />;
