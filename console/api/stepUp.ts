export { confirmItIsYou, hostStepUp, withStepUp } from '../lib/stepUp';
