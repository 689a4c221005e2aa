import { StepUpHost as Host } from '../../../ui/StepUpHost';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';

// Loaded on demand: few actions require it.
const StepUpDialog = lazyWithRetry(() =>
  import('./StepUpDialog').then(({ StepUpDialog }) => ({ default: StepUpDialog })),
);

export const StepUpHost = () => <Host dialog={StepUpDialog} />;
