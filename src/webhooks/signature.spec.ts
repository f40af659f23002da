import { newSigningSecret, signatureHeaders } from './signature.js';

describe('the signature of a delivery', () => {
  it('is that of the Standard Webhooks specification', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: new Date(1614265330_999),
      body: '{"test": 2432232314}',
    };
    // what other implementations make of this message
    expect(signatureHeaders(secret, message)).toEqual({
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is another one for another id, time, body or secret', () => {
    const message = { id: 'a', at: new Date(1000), body: '{}' };
    const secret = newSigningSecret();
    const made = [
      signatureHeaders(secret, message),
      signatureHeaders(secret, { ...message, id: 'b' }),
      signatureHeaders(secret, { ...message, at: new Date(2000) }),
      signatureHeaders(secret, { ...message, body: '{ }' }),
      signatureHeaders(newSigningSecret(), message),
    ].map((headers) => headers['webhook-signature']);
    expect(new Set(made).size).toBe(made.length);
  });
});

describe('a signing secret', () => {
  it('is 32 bytes of chance, never the same', () => {
    const secrets = Array.from({ length: 50 }, newSigningSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
    expect(new Set(secrets).size).toBe(secrets.length);
  });
});
