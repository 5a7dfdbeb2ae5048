import PackGround
import PackOrigin
import PackRelease

extension ChannelChanger {
    /// Refuses to change what a closed channel offers, and to close the default channel by mistake.
    func checkClosing(_ current: Pointer) throws(Failure) {
        switch request.command {
        case .renew: return
        case .promote(let promotion) where promotion.conditions.reopens: return
        case .close(let isDefaultToo):
            guard request.channel == .production, !isDefaultToo else { return }
            throw .channelClosesDefault(channel: request.channel.description)
        case .promote, .rollback, .rollout, .pause, .resume:
            guard current.isClosed else { return }
            throw .channelClosed(
                channel: current.channel.description, at: current.createdAt.description)
        }
    }
}
