import { describe, expect, it } from 'vitest';
import { addressKey } from './addressKey';

describe('key of a host address', () => {
  it.each([
    ['https://tee.example.com', 'https://TEE.Example.COM/'],
    ['https://tee.example.com', 'https://tee.example.com:443'],
    ['https://tee.example.com', 'https://tee.example.com./'],
    ['https://tee.example.com:443', 'http://tee.example.com:443'],
    ['http://tee.example.com:9080/vmm', 'http://tee.example.com:9080//vmm/'],
    ['http://10.0.0.5:9080', 'http://0x0a.0.0.5:9080'],
    ['http://10.0.0.5:9080', 'http://167772165:9080'],
    ['http://10.0.0.5:9080', 'http://[::ffff:10.0.0.5]:9080'],
    ['http://[2001:db8::5]:9080', 'http://[2001:0DB8:0:0:0:0:0:5]:9080'],
    ['http://localhost:9080', 'http://127.0.0.1:9080'],
    ['http://localhost:9080', 'http://127.1.2.3:9080'],
    ['http://localhost:9080', 'http://[::1]:9080'],
    ['http://localhost:9080', 'http://[::ffff:127.0.0.1]:9080'],
    ['http://localhost:9080', 'http://0.0.0.0:9080'],
    ['http://localhost:9080', 'http://[::]:9080'],
    ['http://localhost:9080', 'http://[::ffff:0:0]:9080'],
    ['http://tee.example.com/vmm', 'http://tee.example.com/%76m%6D'],
    ['http://tee.example.com/a%2fb', 'http://tee.example.com/a%2Fb'],
    ['https://tée.example.com', 'https://XN--TE-BJA.example.com'],
    ['https://tee.example.com', 'https://ＴＥＥ．example.com'],
    ['unix:/run/vmm.sock', 'unix:/var/run/vmm.sock'],
    ['unix:/run/vmm.sock', 'unix:///run/vmm.sock'],
    ['unix:/run/vmm.sock', 'unix:/run/./x/..//vmm.sock'],
    ['unix:/run/vmm.sock:/a', 'unix:/run/vmm.sock:/a/'],
  ])('is the same for %s and %s', (one, other) => {
    expect(addressKey(one)).not.toBeNull();
    expect(addressKey(other)).toBe(addressKey(one));
  });

  it.each([
    ['https://tee.example.com', 'https://tee2.example.com'],
    ['https://tee.example.com', 'https://tee.example.com:8443'],
    ['http://tee.example.com:9080/a', 'http://tee.example.com:9080/b'],
    ['http://10.0.0.5:9080', 'http://10.0.0.50:9080'],
    ['unix:/run/a.sock', 'unix:/run/b.sock'],
    ['unix:/run/a.sock', 'unix:/run/a.sock:/prefix'],
    ['http://tee.example.com/a/b', 'http://tee.example.com/a%2Fb'],
  ])('differs for %s and %s', (one, other) => {
    expect(addressKey(other)).not.toBe(addressKey(one));
  });

  it.each(['', 'tee.example.com', 'ftp://tee.example.com', 'unix:relative.sock'])(
    'is null for %j, which no driver accepts',
    (url) => {
      expect(addressKey(url)).toBeNull();
    },
  );
});
