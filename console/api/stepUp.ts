export { hostStepUp, withStepUp } from '../lib/accounts/stepUp';
