import { lazy } from 'react';
import { StepUpHost as Host } from '../../console/ui/StepUpHost';

const StepUpDialog = lazy(() => import('./StepUpDialog').then((m) => ({ default: m.StepUpDialog })));

export const StepUpHost = () => <Host dialog={StepUpDialog} />;
