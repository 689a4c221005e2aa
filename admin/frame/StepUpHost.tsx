import { StepUpHost as Host } from '../../console/ui/StepUpHost';
import { lazyWithRetry } from '../../console/ui/lazyWithRetry';

const StepUpDialog = lazyWithRetry(() => import('./StepUpDialog').then((m) => ({ default: m.StepUpDialog })));

export const StepUpHost = () => <Host dialog={StepUpDialog} />;
