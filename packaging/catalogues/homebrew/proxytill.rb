cask "proxytill" do
  arch arm: "aarch64", intel: "x86_64"

  version "@VERSION@"
  sha256 arm:   "@SHA256 macos-aarch64-dmg@",
         intel: "@SHA256 macos-x86_64-dmg@"

  url "https://github.com/proxytill/proxytill/releases/download/v#{version}/proxytill-#{version}-macos-#{arch}.dmg"
  name "Proxytill"
  desc "Till for people who resell proxies"
  homepage "https://proxytill.app"

  livecheck do
    url :url
    strategy :github_latest
  end

  depends_on macos: ">= :ventura"

  app "Proxytill.app"

  # The data folder is not listed here: it holds the record of what was sent.
  zap trash: [
    "~/Library/Caches/app.proxytill.Proxytill",
    "~/Library/Saved Application State/app.proxytill.Proxytill.savedState",
    "~/Library/WebKit/app.proxytill.Proxytill",
  ]
end
