import { CheckboxInput } from '../../../ui/forms/SwitchInput';
import { useAnalyticsChoice } from '../../../api/useAnalyticsChoice';

/** Lets this device opt out of usage analytics. Renders nothing if the server collects none. */
export function AnalyticsChoice() {
  const choice = useAnalyticsChoice();
  if (!choice) return null;
  if (choice.isRefusedByBrowser) return <span>Usage analytics off (browser setting)</span>;
  return (
    <CheckboxInput
      label="Share usage analytics"
      checked={choice.isAllowed}
      onChange={({ target }) => choice.setAllowed(target.checked)}
    />
  );
}
