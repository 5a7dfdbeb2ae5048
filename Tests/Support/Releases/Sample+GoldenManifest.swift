extension Sample {
    /// Written by hand and by Python (json, hashlib), not by this code.
    package static let goldenManifest = """
        {
          "version": "620dee92df08a50738ec",
          "files": [
            "https://cdn.example.com/shop/objects/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855/%C3%BC.css",
            "https://cdn.example.com/shop/objects/72c48f9b21b42d12ad18a0d08e09eef2a29e0d4ceb38352c760bb840826d8df7/index.html",
            "https://cdn.example.com/shop/objects/bb1ced5413aee08d544bbd2da0630f6eda5f72434a5bd3b327d0bafcce6622b2/main.js"
          ],
          "schema": 1,
          "app": "shop",
          "packageHash": "620dee92df08a50738ec467264ce75661d36e1751b78221626a9895f50403093",
          "launch": "index.html",
          "scheme": "customscheme",
          "assets": [
            {"path": "a b/ü.css", "url": "https://cdn.example.com/shop/objects/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855/%C3%BC.css", "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "size": 0, "type": "text/css"},
            {"path": "index.html", "url": "https://cdn.example.com/shop/objects/72c48f9b21b42d12ad18a0d08e09eef2a29e0d4ceb38352c760bb840826d8df7/index.html", "sha256": "72c48f9b21b42d12ad18a0d08e09eef2a29e0d4ceb38352c760bb840826d8df7", "size": 14, "type": "text/html"},
            {"path": "static/main.js", "url": "https://cdn.example.com/shop/objects/bb1ced5413aee08d544bbd2da0630f6eda5f72434a5bd3b327d0bafcce6622b2/main.js", "sha256": "bb1ced5413aee08d544bbd2da0630f6eda5f72434a5bd3b327d0bafcce6622b2", "size": 5, "type": "text/javascript"}
          ],
          "package": {
            "url": "https://cdn.example.com/shop/releases/620dee92df08a50738ec/package.zip",
            "sha256": "4a70fe9aa6436e02c2dea340fbd1e352e4ef2d8ce6ca52ad25d4b95471fc8bf2",
            "size": 412
          },
          "build": {
            "commit": "4f2a",
            "tool": "packtool 1.0.0"
          }
        }

        """
}
