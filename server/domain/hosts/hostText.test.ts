import { expect, it } from 'vitest';
import { withoutHostPaths } from './hostText';

it.each([
  [
    "Failed to resize disk: qemu-img: Could not open '/srv/dstack/vm/aa17/hda.img': No such file or directory",
    "Failed to resize disk: qemu-img: Could not open '…/hda.img': No such file or directory",
  ],
  [
    'failed to open file `/srv/dstack/images/nothing/metadata.json`: No such file or directory (os error 2)',
    'failed to open file `…/metadata.json`: No such file or directory (os error 2)',
  ],
  [
    'error sending request for url (http://127.0.0.1:19300/): refused',
    'error sending request for url (a local address): refused',
  ],
  ['tcp/udp ports 80/443 of nginx/web are taken', 'tcp/udp ports 80/443 of nginx/web are taken'],
  ['image ghcr.io/owner/app:1 and/or docker.io/a/b', 'image ghcr.io/owner/app:1 and/or docker.io/a/b'],
])('hides where a host keeps its files: %s', (said, shown) => {
  expect(withoutHostPaths(said)).toBe(shown);
});
