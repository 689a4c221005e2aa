import { PublicFrame } from '../../ui/layout/PublicFrame';

export function NetworkPreview() {
  return (
    <PublicFrame>
      <h1>Network</h1>
    </PublicFrame>
  );
}
