"""The digests of the assets (SHA-256) by name, as ``python -m papan.tools.digests`` writes them."""

DIGESTS = {
    "books/connect-four.book": "e4bccdf7216b19f69f95fdc7344e3f5370cd786fe89e4609337496f554e67120",
    "fonts/Inter-Bold.otf": "1e9dfd6a6e33ac63a8fe3b4ed7ae0df9eac2d0b25e444e8e7daef4ac77943fc1",
    "fonts/Inter-Medium.otf": "99dab2bdcb613c4c8264000a94351d1227f74dc95a86d1249493aeee0c0179c4",
    "fonts/Inter-Regular.otf": "a7e791e8f5a0fb02b65663f7fca73e1d1ca9543f772ad480cbd76f4e3fe3f8cc",
    "fonts/Inter-SemiBold.otf": "8c1990b6012254ea2b487161697d107357dd0ee55811cfd91c8c11227bbef457",
    "fonts/NotoSerifCJKtc-Bold-xiangqi.otf": "c5a67f9c9f6ba4b8d433ce6583b89e5f518f9475dace1a90195654235afe0238",
    "fonts/OFL-NotoSerifCJK.txt": "65830f13bbc0d9b81e90b056e76d71c0f42fa8d18889b26d37e3485292770dec",
    "fonts/OFL.txt": "0190410bfb6f0cf64cb1b4c2821be7d1cd69c5053849fcf9ee40011b36394148",
    "icon/papan-1024.png": "48896a90315ffefcbad26adefee505131fda863cc6d13652bdc63f4c4aeefa82",
    "icon/papan-128.png": "608fc6ca8ff5c9e2b868f27d465b1174ffee534756af93686a314ae43a4fccde",
    "icon/papan-16.png": "84ebefb58bb95df01c16a8326b2afed1267119d997564354ebbbc0e69fd4a835",
    "icon/papan-24.png": "a589ef9e7d7dad85b16a4498d7ed90e4add47aed7e48cec9b8baa7fecc363c61",
    "icon/papan-256.png": "881548fe00ef61f3e90a401f5655e5324fd8bf86afb5de55f13d13aabcf88613",
    "icon/papan-32.png": "b3064db0411dc59abc69fb04f65c3e178fbfae973da12ec219a6eb5aeb908b0a",
    "icon/papan-48.png": "b4c6d9480a1aeb4040992ba09d44560031042dfe7c7c7defc28b8cc359f92d61",
    "icon/papan-512.png": "43132496c0d1319d4d3494c31fa93bcf3ae5ad808fe0a9f667e38034b9cfddd0",
    "icon/papan-64.png": "59f6d9154f195670da0cdce8dec738e21dd7cfdde46704c4b26d7cc63452c6ec",
    "weights/othello.npz": "4831f3e8801251ce43f00150b0557060b96daf81ca2334630d0ab9a381f5a564",
}
