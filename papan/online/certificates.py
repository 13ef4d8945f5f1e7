"""The host's certificate: made for one evening, signed by nobody; the invitation's key vouches for it."""

from __future__ import annotations

import datetime
import ssl
from pathlib import Path
from tempfile import TemporaryDirectory

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from papan.game.base.places import make_private_file


def new_certificate() -> tuple[ssl.SSLContext, bytes]:
    """A context for the host's side of TLS 1.3, and its new certificate in DER."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "papan")])
    day = datetime.timedelta(days=1)
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + 365 * day)
        .sign(key, hashes.SHA256())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    with TemporaryDirectory(prefix="papan-") as folder:  # readable by its owner only
        file = Path(folder) / "host.pem"
        make_private_file(file)
        file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
            + certificate.public_bytes(serialization.Encoding.PEM)
        )
        context.load_cert_chain(file)
    return context, certificate.public_bytes(serialization.Encoding.DER)


def guest_context() -> ssl.SSLContext:
    """A context for the guest's side, which takes any certificate: the proofs of the key are bound to it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
